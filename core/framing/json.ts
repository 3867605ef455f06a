/** Parses JSON; undefined if the text is not JSON. For foreign data, where invalid JSON is not exceptional. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
