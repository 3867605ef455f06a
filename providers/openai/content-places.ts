/** The paths of the parts of `content`: a text or a list of parts. */
export const placeContent = (path: string, content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((_part, index) => `${path}[${index}]`) : [path];
