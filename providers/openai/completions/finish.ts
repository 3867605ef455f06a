export { readFailedEnd, readFinish, writeFinish } from '../chat-completions/finish.ts';
