import { richRequests, structuredRequests } from '../../../test/doubling/rich-requests.ts';
import { headOf, pathOf } from '../../../test/support/calls.ts';
import { wires, type Json, type Wire } from '../../../test/matrix/wires.ts';
import type { Random } from '../random.ts';

/** What the rules search for, each in a form of its own. */
export const sensitive = [
  'ann.fuzz@acme.example',
  'sk-proj-fuzz0123456789abcdefghij',
  '4111 1111 1111 1111',
  'MARKER-123456',
] as const;

type Path = readonly string[];
const textsIn = (value: unknown, path: Path = []): readonly Path[] => {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, [...path, name]));
};

/** Every text and name in a body, in the form that a reader sees. */
export const readVisible = (json: string): string => {
  const texts: string[] = [];
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      texts.push(name);
      visit(inner);
    }
  };
  visit(JSON.parse(json));
  return texts
    .join('\n')
    .normalize('NFKC')
    .replaceAll(/[\u200b\u00ad\u2060]/g, '');
};

/** The same text in a spelling that looks the same. */
const respell = (text: string, random: Random): string => {
  const at = 1 + random.below(text.length - 1);
  return random.pick([
    text,
    text,
    text.slice(0, at) + random.pick(['\u200b', '\u00ad', '\u2060']) + text.slice(at),
    text.replace('@', '\uff20').replace('1', '\uff11'),
  ]);
};

/**
 * Members with the text that people and tools write. Words of the wire, such as ids, are searched only if they have
 * other characters than those of words.
 */
const WRITTEN = /^(?:text|content|arguments|output|input|prompt|instructions|system)$/;
const isWritten = (path: Path): boolean => {
  const [name = '', outer = ''] = path.toReversed();
  return WRITTEN.test(name) || (/^\d+$/.test(name) && WRITTEN.test(outer));
};

const changeAt = (value: unknown, [name, ...rest]: Path, change: (text: string) => string): unknown => {
  if (name === undefined) return change(String(value));
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (String(index) === name ? changeAt(item, rest, change) : item));
  const object = value as Json;
  return { ...object, [name]: changeAt(object[name], rest, change) };
};

/** Arguments of tools are JSON: what is planted is a member of it. */
const plantIn = (text: string, planted: string, random: Random): string => {
  if (/^\{.*\}$/s.test(text)) return text.replace(/\}$/, () => `,"note":${JSON.stringify(`x ${planted} y`)}}`);
  const at = random.below(text.length + 1);
  const begin = text.slice(0, at);
  return `${begin} ${planted} ${text.slice(at)}`;
};

export interface PlantedRequest {
  readonly path: string;
  readonly body: Json;
  readonly planted: string;
  /** The member with it. */
  readonly place: string;
}

/** A rich request of any wire, with a sensitive text in one of its places. */
export function plantText(random: Random, modelOf: (upstream: Wire) => string): PlantedRequest {
  const client = random.pick(wires);
  const model = modelOf(random.pick(wires));
  const stream = random.chance(0.3);
  const body = random.pick([richRequests[client], structuredRequests(client)]);
  const planted = random.pick(sensitive);
  const place = random.pick(textsIn(body).filter((path) => planted.includes('@') || isWritten(path)));
  const spelled = respell(planted, random);
  const changed = changeAt(body, place, (text) => plantIn(text, spelled, random)) as Json;
  return {
    path: pathOf(client, model, stream),
    body: { ...changed, ...headOf(client, model, stream) },
    planted,
    place: `${client} ${place.join('.')}`,
  };
}
