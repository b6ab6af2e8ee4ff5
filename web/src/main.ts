import './theme/theme.css'
import './screens/app.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { begin } from './game/settings.svelte'

void begin().then(() => mount(App, { target: document.getElementById('app')! }))
