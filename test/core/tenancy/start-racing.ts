import { openDatabase } from '../../../core/services/database/database.ts';
import { createFirstKey } from '../../../core/tenancy/first-key.ts';
import { createKeyTable } from '../../../core/tenancy/key-table.ts';
import { awaitStart } from '../../support/race-processes.ts';

await awaitStart();
const database = await openDatabase(process.argv[2] ?? '');
const made = await createFirstKey({ organizations: {}, table: createKeyTable(database), clock: { now: Date.now } });
await database.destroy();
process.stdout.write(`${made?.secret ?? 'none'}\n`);
