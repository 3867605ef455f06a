import type { Part } from '../../canonical/part.ts';
import type { GenerateRequest } from '../../canonical/request.ts';
import type { EventFilter } from '../../contracts/codec.ts';
import { defineFit } from '../../contracts/fit.ts';
import { rewriteParts } from '../support/rewrite-parts.ts';
import { createUniqueName } from './unique-name.ts';

/**
 * Calls `visit` with every name of a function or custom tool: declared, chosen and in the history. Names of hosted
 * tools belong to the vendor.
 */
const eachName = ({ tools, toolChoice, turns }: GenerateRequest, visit: (name: string) => void): void => {
  const hosted = new Set<string>();
  for (const { kind, name } of tools) {
    if (kind === 'hosted') hosted.add(name);
    else visit(name);
  }
  for (const name of toolChoice?.only ?? []) if (!hosted.has(name)) visit(name);
  for (const { parts } of turns) {
    for (const part of parts)
      if ((part.type === 'tool-call' || part.type === 'tool-result') && part.name !== undefined) visit(part.name);
  }
};

/** New names for invalid ones; undefined if all are valid. */
const mapNames = (
  request: GenerateRequest,
  isLegal: (name: string) => boolean,
): ReadonlyMap<string, string> | undefined => {
  let illegal: Set<string> | undefined;
  eachName(request, (name) => {
    if (!isLegal(name)) (illegal ??= new Set()).add(name);
  });
  if (illegal === undefined) return undefined;
  const taken = new Set(request.tools.map(({ name }) => name));
  eachName(request, (name) => taken.add(name));
  return new Map(
    [...illegal].map((name) => {
      const legal = createUniqueName(name, (candidate) => isLegal(candidate) && !taken.has(candidate));
      taken.add(legal);
      return [name, legal];
    }),
  );
};

const renameRequest = (request: GenerateRequest, names: ReadonlyMap<string, string>): GenerateRequest => {
  const rename = (name: string): string => names.get(name) ?? name;
  const renamePart = (part: Part): Part =>
    (part.type === 'tool-call' || part.type === 'tool-result') && part.name !== undefined && names.has(part.name)
      ? { ...part, name: rename(part.name) }
      : part;
  const { toolChoice } = request;
  return {
    ...request,
    turns: rewriteParts(request.turns, renamePart),
    tools: request.tools.map((tool) =>
      tool.kind !== 'hosted' && names.has(tool.name) ? { ...tool, name: rename(tool.name) } : tool,
    ),
    ...(toolChoice?.only === undefined ? {} : { toolChoice: { ...toolChoice, only: toolChoice.only.map(rename) } }),
  };
};

/** Restores the declared names in the calls of a response. */
const createRenamer = (names: ReadonlyMap<string, string>): EventFilter => ({
  push(event, emit) {
    const name = event.type === 'part-start' && event.call !== undefined ? names.get(event.call.name) : undefined;
    if (name === undefined || event.type !== 'part-start' || event.call === undefined) return emit(event);
    return emit({ ...event, call: { ...event.call, name } });
  },
});

/** Maps tool names that the target refuses. Not a loss: the client gets every name back unchanged. */
export const toolNamesFit = defineFit({
  name: 'tool-names',
  applies: ({ capabilities }) => capabilities.toolName !== undefined,
  fit(request, { capabilities: { toolName } }) {
    const names = toolName === undefined ? undefined : mapNames(request, (name) => toolName.test(name));
    if (names === undefined) return undefined;
    const back = new Map([...names].map(([name, legal]) => [legal, name]));
    return { request: renameRequest(request, names), reply: () => createRenamer(back) };
  },
});
