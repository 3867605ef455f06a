import type { ModelFamily } from '../../../core/api/index.ts';
import { openAiModels } from '../models.ts';

/** Azure writes the oldest family without the dot. */
export const azureModels: readonly ModelFamily[] = openAiModels.flatMap((family) =>
  family.prefix === 'gpt-3.5' ? [family, { ...family, prefix: 'gpt-35' }] : [family],
);
