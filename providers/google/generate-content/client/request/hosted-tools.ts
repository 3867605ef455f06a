import type { HostedTool } from '../../../../../core/api/index.ts';
import { isObject, lookUp, readObject } from '../../../../../core/api/codec.ts';
import { foldName } from '../../../../../core/api/internal.ts';

type Facts = Pick<HostedTool, 'kind' | 'billed' | 'tokens'>;

const search: Facts = { kind: 'web_search', billed: 'webSearches' };
/** Searches of Vertex AI that have prices of their own. */
const otherSearch: Facts = { kind: 'web_search' };

/**
 * The tools that run at the vendor, by their folded names. None has a cap on its uses.
 * https://ai.google.dev/api/caching#Tool https://ai.google.dev/gemini-api/docs/pricing
 */
const byName: Readonly<Record<string, Facts>> = {
  googlesearch: search,
  googlesearchretrieval: search,
  enterprisewebsearch: otherSearch,
  parallelaisearch: otherSearch,
  exaaisearch: otherSearch,
  urlcontext: { kind: 'web_fetch', billed: 'tokens' },
  codeexecution: { kind: 'code_execution', billed: 'tokens', tokens: { input: 0 } },
  filesearch: { kind: 'file_search', billed: 'tokens' },
  retrieval: { kind: 'file_search' },
  googlemaps: { kind: 'maps' },
  mcpservers: { kind: 'mcp', billed: 'tokens' },
  // The client executes its calls.
  computeruse: { kind: 'computer', billed: 'tokens', tokens: { input: 0 } },
};

const FUNCTIONS = 'functiondeclarations';

const none: readonly HostedTool[] = [];

/** The tools of a request that run at the vendor: the members of the entries of `tools` that declare no functions. */
export function listHostedTools(body: unknown): readonly HostedTool[] {
  const { tools } = readObject(body);
  if (tools === undefined) return none;
  const isList = Array.isArray(tools);
  return (isList ? tools : [tools]).flatMap((tool: unknown, index) =>
    !isObject(tool)
      ? []
      : Object.keys(tool).flatMap((name): readonly HostedTool[] => {
          const folded = foldName(name);
          if (folded === FUNCTIONS || tool[name] === undefined || tool[name] === null) return [];
          const place = isList ? ['tools', index, name] : ['tools', name];
          return [{ ...lookUp(byName, folded), type: name, place }];
        }),
  );
}
