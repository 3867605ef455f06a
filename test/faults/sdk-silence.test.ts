import { runBeside } from '../beside/run-beside.ts';

runBeside('every SDK waits through a minute of silence (in CI, or with KOINE_SLOW=1)', new URL('./silence/silence.ts', import.meta.url), process.env['CI'] === 'true' || process.env['KOINE_SLOW'] === '1');
