/**
 * Families that refuse function tools on the chat wire while they reason: some when the request has an effort, others
 * also without one, because they reason by default. https://platform.openai.com/docs/guides/latest-model
 */
const families = { withEffort: ['gpt-5.4', 'gpt-5.5'], always: ['gpt-5.6', 'gpt-6'] } as const;

const OFF = 'none';

/**
 * @returns a test whether the model refuses tools on the chat wire at an effort (`undefined`: the request has none), or
 * `undefined` for a model that never refuses them
 */
export function selectRefusal(model: string): ((effort: string | undefined) => boolean) | undefined {
  if (families.always.some((prefix) => model.startsWith(prefix))) return (effort) => effort !== OFF;
  if (families.withEffort.some((prefix) => model.startsWith(prefix)))
    return (effort) => effort !== undefined && effort !== OFF;
  return undefined;
}
