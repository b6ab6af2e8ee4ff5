/** Small sounds made on the spot: wood, paper and a station bell. */
import { settings } from './settings.svelte'

let context: AudioContext | null = null

function ready(): AudioContext | null {
  if (settings.muted || settings.volume === 0 || typeof AudioContext === 'undefined') return null
  context ??= new AudioContext()
  if (context.state === 'suspended') void context.resume()
  return context.state === 'closed' ? null : context
}

function tone(
  audio: AudioContext,
  at: number,
  pitch: number,
  length: number,
  loud: number,
  type: OscillatorType,
): void {
  const oscillator = audio.createOscillator()
  const gain = audio.createGain()
  oscillator.type = type
  oscillator.frequency.value = pitch
  gain.gain.setValueAtTime(0, at)
  gain.gain.linearRampToValueAtTime(loud * settings.volume, at + 0.008)
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(at)
  oscillator.stop(at + length)
}

function rustle(audio: AudioContext, at: number, length: number, pitch: number, loud: number): void {
  const samples = Math.floor(audio.sampleRate * length)
  const buffer = audio.createBuffer(1, samples, audio.sampleRate)
  const data = buffer.getChannelData(0)
  for (let i = 0; i < samples; i++) data[i] = (Math.random() * 2 - 1) * (1 - i / samples) ** 2
  const source = audio.createBufferSource()
  const filter = audio.createBiquadFilter()
  const gain = audio.createGain()
  source.buffer = buffer
  filter.type = 'bandpass'
  filter.frequency.value = pitch
  gain.gain.value = loud * settings.volume
  source.connect(filter).connect(gain).connect(audio.destination)
  source.start(at)
}

export type Sound = 'turn' | 'card' | 'cars' | 'ticket' | 'turned' | 'done' | 'end'

export function play(sound: Sound, times = 1): void {
  const audio = ready()
  if (!audio) return
  const now = audio.currentTime + 0.01
  if (sound === 'turn') {
    tone(audio, now, 659, 0.5, 0.25, 'sine')
    tone(audio, now + 0.14, 880, 0.7, 0.22, 'sine')
  } else if (sound === 'card' || sound === 'turned') rustle(audio, now, 0.09, sound === 'card' ? 3200 : 2200, 0.5)
  else if (sound === 'ticket') {
    rustle(audio, now, 0.16, 1600, 0.5)
  } else if (sound === 'cars') {
    for (let i = 0; i < Math.min(times, 8); i++) {
      rustle(audio, now + i * 0.06, 0.05, 700, 0.7)
      tone(audio, now + i * 0.06, 190 + i * 8, 0.08, 0.2, 'triangle')
    }
  } else if (sound === 'done') {
    for (const [i, pitch] of [784, 1047].entries()) tone(audio, now + i * 0.1, pitch, 0.6, 0.2, 'sine')
  } else for (const [i, pitch] of [523, 659, 784, 1047].entries()) tone(audio, now + i * 0.12, pitch, 0.8, 0.2, 'sine')
}
