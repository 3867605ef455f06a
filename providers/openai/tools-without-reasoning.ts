/**
 * Families that refuse function tools on the chat wire while they reason: some where an effort is asked for, others also where none is,
 * because they reason by default. https://platform.openai.com/docs/guides/latest-model
 */
const families = { asked: ['gpt-5.4', 'gpt-5.5'], always: ['gpt-5.6', 'gpt-6'] } as const;

const OFF = 'none';

/**
 * When a model refuses tools on the chat wire, by the effort that the request asks for; `undefined` for models that never do.
 * @returns a test of the effort, which is `undefined` where the request names none
 */
export function selectRefusal(model: string): ((effort: string | undefined) => boolean) | undefined {
  if (families.always.some((prefix) => model.startsWith(prefix))) return (effort) => effort !== OFF;
  if (families.asked.some((prefix) => model.startsWith(prefix)))
    return (effort) => effort !== undefined && effort !== OFF;
  return undefined;
}
