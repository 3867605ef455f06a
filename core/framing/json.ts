/** The value of a JSON text, or `undefined` when it is not one. For data of others, where a throw would be no news. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
