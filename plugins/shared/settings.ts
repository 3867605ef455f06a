import { DURATION_PATTERN, SIZE_PATTERN, type JsonObject } from '../../core/api/index.ts';

const unit =
  (pattern: string) =>
  (description: string, preset: string, examples: readonly string[] = [preset]): JsonObject => ({
    description,
    type: 'string',
    pattern,
    default: preset,
    examples,
  });

/** The schema of a duration, which `readDuration` reads. */
export const duration = unit(DURATION_PATTERN);

/** The schema of a number of bytes, which `parseSize` reads. */
export const size = unit(SIZE_PATTERN);

/** The schema of a list of texts that is empty by default. */
export const list = (description: string, example: readonly string[]): JsonObject => ({
  description,
  type: 'array',
  items: { type: 'string', minLength: 1 },
  default: [],
  examples: [example],
});
