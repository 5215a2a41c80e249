/** The languages by their code. A further one is a folder beside `en` and a line here. */
export { english as en } from './en/english.ts';
export { german as de } from './de/german.ts';
