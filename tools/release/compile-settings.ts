import { writeFileSync } from 'node:fs';
import { builtIns } from '../../core/built-ins.ts';
import { listBuiltIns } from '../../core/config/schema/load-schema.ts';
import { composeSchema } from '../../core/config/schema/compose.ts';
import { omitProse, writeValidation } from '../../core/config/validate/compile-on-disk.ts';

/**
 * Compiles the schema of a configuration with all built-ins to a module. Compiling it at every start would take longer
 * than everything else that a start does.
 * @param file the module that `core/config/validate/compile-settings.ts` imports
 */
export async function compileBuiltInSettings(file: string): Promise<void> {
  writeFileSync(file, writeValidation(JSON.stringify(composeSchema(await listBuiltIns(builtIns)), omitProse)));
}
