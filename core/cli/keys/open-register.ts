import { loadConfig } from '../../config/load.ts';
import type { BuiltIns } from '../../extensions/extension.ts';
import { systemClock } from '../../services/clock.ts';
import { openDatabase } from '../../services/database/database.ts';
import { createKeyRegister, type KeyRegister } from '../../tenancy/key-register.ts';
import { createKeyTable } from '../../tenancy/key-table.ts';
import { StoredTenants } from '../../tenancy/tenants/stored-tenants.ts';
import { createTenantTable } from '../../tenancy/tenants/tenant-table.ts';
import { recordChanges } from './record-changes.ts';

/** Opens the keys of a configuration in its database, whether the gateway runs or not. @throws GatewayError */
export async function withRegister<T>(
  file: string,
  builtIns: BuiltIns,
  use: (keys: KeyRegister) => Promise<T>,
): Promise<T> {
  const { config } = await loadConfig(file, builtIns, process.env);
  const database = await openDatabase(config.store.database);
  try {
    const silent = (): void => {};
    const tenants = new StoredTenants(createTenantTable(database), { warn: silent, info: silent });
    await tenants.refresh();
    const keys = createKeyRegister({ config, table: createKeyTable(database), clock: systemClock, tenants });
    return await use(recordChanges(keys, database, config.admin.auditRetention));
  } finally {
    await database.destroy();
  }
}
