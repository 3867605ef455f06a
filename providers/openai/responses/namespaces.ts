import { readText, type Tool } from '../../../core/index.ts';

/**
 * A tool of a namespace under one flat name, which every other wire can say. A function that was loaded by itself the vendor puts into a
 * namespace of its own name: it stays what it was declared as.
 * https://platform.openai.com/docs/guides/function-calling
 */
export const joinNamespace = (namespace: string, name: string): string =>
  namespace === '' || namespace === name ? name : `${namespace}__${name}`;

/** The member of `Tool.vendor` that keeps what a namespace says of itself. */
export const ABOUT_NAMESPACE = 'namespace_description';

/** The namespace of a tool, empty for one that stands by itself, and its name in there. */
export const readPlace = ({ name, namespace }: Tool): { readonly namespace: string; readonly name: string } =>
  namespace === undefined ? { namespace: '', name } : { namespace: namespace.name, name: namespace.tool };

export const readAbout = ({ vendor }: Tool): string => readText(vendor?.[ABOUT_NAMESPACE]);
