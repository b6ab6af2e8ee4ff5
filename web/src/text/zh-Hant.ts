import type { Texts } from './en'
import en from './en'
export default { ...en } as Texts
