import { hash } from 'node:crypto';
import { type CacheMark, type GenerateRequest, omitUndefined, type Part, type Tool } from '../../core/index.ts';
import { calculateTokens, TOKENS_PER_IMAGE } from './tokens.ts';

/** The beginning of a prompt up to the end of one turn. */
export interface Prefix {
  readonly digest: string;
  /** Of all up to here. */
  readonly tokens: number;
  /** The client asked that it be cached up to here. */
  readonly mark?: CacheMark;
  /** Vendors keep it although nobody asked: the end of the system prompt, and the whole. */
  readonly kept: boolean;
}

/** What a request weighs, and the digests that tell whether its beginning was seen before. Never empty. */
export interface Prompt {
  readonly prefixes: readonly Prefix[];
  readonly tokens: number;
  readonly digest: string;
}

interface Scale {
  characters: number;
  images: number;
  mark?: CacheMark | undefined;
  /** All that the digest is made of. */
  readonly content: string[];
}

const weighText = (scale: Scale, kind: string, text: string): void => {
  scale.characters += text.length;
  scale.content.push(kind, text);
};

const weighPart = (scale: Scale, part: Part): void => {
  if (part.cache !== undefined) scale.mark = part.cache;
  switch (part.type) {
    case 'text':
    case 'refusal':
    case 'reasoning':
      return weighText(scale, part.type, part.text);
    case 'tool-call':
      return weighText(scale, 'call', part.name + part.input);
    case 'tool-result':
      return part.parts.forEach((inner) => weighPart(scale, inner));
    case 'media':
      scale.images += 1;
      scale.content.push(
        'media',
        'base64' in part.media ? part.media.base64 : 'url' in part.media ? part.media.url : part.media.fileId,
      );
      return undefined;
    case 'opaque':
      return weighText(scale, 'opaque', JSON.stringify(part.value) ?? '');
  }
};

const weighTool = (scale: Scale, { name, description, schema, vendor, cache }: Tool): void => {
  if (cache !== undefined) scale.mark = cache;
  weighText(scale, 'tool', name + (description ?? '') + JSON.stringify(schema ?? vendor ?? {}));
};

export function readPrompt({ turns, tools }: GenerateRequest): Prompt {
  const prefixes: Prefix[] = [];
  let digest = '';
  let scale: Scale = { characters: 0, images: 0, content: [] };
  const close = (kept: boolean): void => {
    digest = hash('sha256', digest + scale.content.join('\0'), 'hex');
    const tokens = calculateTokens(scale.characters) + scale.images * TOKENS_PER_IMAGE;
    prefixes.push(omitUndefined({ digest, tokens, kept, mark: scale.mark }));
    scale = { characters: scale.characters, images: scale.images, content: [] };
  };
  if (tools.length > 0) {
    for (const tool of tools) weighTool(scale, tool);
    close(false);
  }
  const systemEnd = turns.findIndex(({ role }) => role !== 'system') - 1;
  turns.forEach((turn, index) => {
    scale.content.push(turn.role);
    for (const part of turn.parts) weighPart(scale, part);
    close(index === turns.length - 1 || index === systemEnd);
  });
  if (prefixes.length === 0) close(true);
  return { prefixes, digest, tokens: prefixes.at(-1)?.tokens ?? 0 };
}
