/** What is being written and not said yet: it stays when its box goes. */
export const talk = $state({ text: '' })
