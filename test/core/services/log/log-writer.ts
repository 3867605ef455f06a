import { createLog } from '../../../../core/services/log/log.ts';
import { knowSecrets } from '../../../../core/canonical/text/known-secrets.ts';

// Writes this many lines at once, then one of each kind, and ends: more than the log queues while its output is not
// read.
knowSecrets(['a-secret-name']);
const log = createLog();
const headers = ['authorization', 'cookie', 'x-api-key', 'x-alt-api-key', 'x-goog-api-key', 'user-agent'];
const burst = Number(process.argv[2]);
for (let index = 0; index < burst; index += 1) log.infoJson(`"index":${index},"text":"${'é'.repeat(100)}"`, 'burst');
const bound = log.child({ worker: 7, extension: 'a-secret-name' });
bound.info({ one: 1, two: 'two' }, 'the same');
bound.infoJson('"one":1,"two":"two"', 'the same');
bound.info({ headers: Object.fromEntries(headers.map((name) => [name, 'top-secret'])) }, 'headers');
process.exit(0);
