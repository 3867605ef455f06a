import { runBeside } from '../beside/run-beside.ts';

runBeside('limits hold in every window of their length, over a minute of load', new URL('./a-minute.ts', import.meta.url));
