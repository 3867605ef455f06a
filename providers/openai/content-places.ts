/** The places of the parts of some content: one text, or a list of blocks. */
export const placeContent = (path: string, content: unknown): readonly string[] =>
  Array.isArray(content) ? content.map((_block, index) => `${path}[${index}]`) : [path];
