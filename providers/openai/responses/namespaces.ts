/**
 * A tool of a namespace under one flat name, which every other wire can say. A function that was loaded by itself the vendor puts into a
 * namespace of its own name: it stays what it was declared as.
 * https://platform.openai.com/docs/guides/function-calling
 */
export const joinNamespace = (namespace: string, name: string): string => (namespace === '' || namespace === name ? name : `${namespace}__${name}`);
