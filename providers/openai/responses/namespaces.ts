/**
 * A tool of a namespace under one flat name, which every other wire can say.
 * https://platform.openai.com/docs/guides/function-calling
 */
export const joinNamespace = (namespace: string, name: string): string => (namespace === '' ? name : `${namespace}__${name}`);
