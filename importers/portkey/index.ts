import type { Importer } from '../../core/api/internal.ts';
import { createNotes } from '../shared/notes.ts';
import { createProviders } from '../shared/providers.ts';
import { ADMIN, listPlugins, unlessEmpty } from '../shared/sections.ts';
import { createVariables } from '../shared/variables.ts';
import { readExpected } from './expected.ts';
import { readFailover } from './failover.ts';
import { listModels, writeModels } from './models.ts';
import { readNode } from './read-tree.ts';
import { reasonFor } from './reasons.ts';

const CALLERS =
  'A Portkey config names no callers. The first start creates a key and prints it once; ' +
  'create others with "koine keys create", with limits (docs/govern/limits.md).';
const PRICES =
  'A Portkey config has no prices. "koine catalog" shows the list prices that apply; set price for the other models.';

/**
 * Imports a gateway config of Portkey, see docs/start/from-portkey.md.
 * https://portkey.ai/docs/api-reference/inference-api/config-object
 */
const portkey: Importer = {
  title: 'Portkey',
  translate: (source, help) => {
    const notes = createNotes(reasonFor);
    const { note } = notes;
    const variables = createVariables(source);
    const providers = createProviders(variables, help, notes);
    note([], CALLERS);
    note([], PRICES);
    const root = readNode(source, [], {}, { notes, providers });
    const { models, aliases, choices } = writeModels(listModels(root, help, note), note);
    const failover = { ...readFailover(source, note), ...unlessEmpty('models', choices) };
    return {
      notes: notes.list,
      variables: variables.required,
      expected: readExpected(source, variables),
      settings: {
        admin: ADMIN,
        ...unlessEmpty('providers', providers.settings),
        ...unlessEmpty('models', models),
        ...unlessEmpty('aliases', aliases),
        plugins: listPlugins(failover, [{ use: 'ledger' }]),
      },
    };
  },
};

export default portkey;
