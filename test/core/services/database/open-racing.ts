import { openDatabase } from '../../../../core/services/database/database.ts';
import { awaitStart } from '../../../support/race-processes.ts';

await awaitStart();
const database = await openDatabase(process.argv[2] ?? '');
const keys = await database.selectFrom('keys').selectAll().execute();
await database.destroy();
process.stdout.write(`opened with ${keys.length} keys\n`);
