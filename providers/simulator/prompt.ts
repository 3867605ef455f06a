import { hash } from 'node:crypto';
import type { CacheMark, GenerateRequest, Part, Tool } from '../../core/api/index.ts';
import { omitUndefined } from '../../core/api/codec.ts';
import { calculateTokens, TOKENS_PER_IMAGE } from './tokens.ts';

/** A prompt up to the end of one turn. */
export interface Prefix {
  readonly digest: string;
  /** All tokens up to here. */
  readonly tokens: number;
  /** The client asked to cache the prompt up to here. */
  readonly mark?: CacheMark;
  /** Cached without a mark, as vendors do: the system prompt and the whole prompt. */
  readonly kept: boolean;
}

/** The tokens of a request, and the digests by which its prefixes are recognised. `prefixes` is never empty. */
export interface Prompt {
  readonly prefixes: readonly Prefix[];
  readonly tokens: number;
  readonly digest: string;
}

interface Accumulator {
  characters: number;
  images: number;
  mark?: CacheMark | undefined;
  /** The input of the digest. */
  readonly content: string[];
}

const addText = (accumulator: Accumulator, kind: string, text: string): void => {
  accumulator.characters += text.length;
  accumulator.content.push(kind, text);
};

const addPart = (accumulator: Accumulator, part: Part): void => {
  if (part.cache !== undefined) accumulator.mark = part.cache;
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return addText(accumulator, part.type, part.text);
    case 'tool-call':
      return addText(accumulator, 'call', part.name + part.input);
    case 'tool-result':
      return part.parts.forEach((inner) => addPart(accumulator, inner));
    case 'media':
      accumulator.images += 1;
      accumulator.content.push(
        'media',
        'base64' in part.media ? part.media.base64 : 'url' in part.media ? part.media.url : part.media.fileId,
      );
      return undefined;
    case 'opaque':
      return addText(accumulator, 'opaque', JSON.stringify(part.value) ?? '');
  }
};

const addTool = (accumulator: Accumulator, { name, description, schema, vendor, cache }: Tool): void => {
  if (cache !== undefined) accumulator.mark = cache;
  addText(accumulator, 'tool', name + (description ?? '') + JSON.stringify(schema ?? vendor ?? {}));
};

export function readPrompt({ turns, tools }: GenerateRequest): Prompt {
  const prefixes: Prefix[] = [];
  let digest = '';
  let accumulator: Accumulator = { characters: 0, images: 0, content: [] };
  const close = (kept: boolean): void => {
    digest = hash('sha256', digest + accumulator.content.join('\0'), 'hex');
    const tokens = calculateTokens(accumulator.characters) + accumulator.images * TOKENS_PER_IMAGE;
    prefixes.push(omitUndefined({ digest, tokens, kept, mark: accumulator.mark }));
    accumulator = { characters: accumulator.characters, images: accumulator.images, content: [] };
  };
  if (tools.length > 0) {
    for (const tool of tools) addTool(accumulator, tool);
    close(false);
  }
  const systemEnd = turns.findIndex(({ role }) => role !== 'system') - 1;
  turns.forEach((turn, index) => {
    accumulator.content.push(turn.role);
    for (const part of turn.parts) addPart(accumulator, part);
    close(index === turns.length - 1 || index === systemEnd);
  });
  if (prefixes.length === 0) close(true);
  return { prefixes, digest, tokens: prefixes.at(-1)?.tokens ?? 0 };
}
