import type { JsonObject } from '../../core/api/index.ts';
import { isObject, omitUndefined, readObject } from '../../core/api/codec.ts';
import { ownMembers } from '../../core/api/internal.ts';
import { countOf, numberOf } from '../shared/read.ts';
import { escapeInterpolation } from '../shared/variables.ts';

/** Parameters that are defaults of requests, and that the file has as well. */
export const defaultsCarried = [
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'seed',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'reasoning_effort',
  'thinking',
  'extra_body',
];

const efforts: ReadonlySet<string> = new Set(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

const readStop = (stop: unknown): readonly string[] | undefined => {
  const words = (Array.isArray(stop) ? stop : [stop]).filter((word) => typeof word === 'string' && word !== '');
  return words.length === 0 ? undefined : words.map((word: string) => escapeInterpolation(word));
};

const readBetween = (value: unknown, min: number, max: number): number | undefined => {
  const number = numberOf(value);
  return number !== undefined && number >= min && number <= max ? number : undefined;
};

/** Strings are not read as variables. */
const escapeAll = (value: unknown): unknown => {
  if (typeof value === 'string') return escapeInterpolation(value);
  if (Array.isArray(value)) return value.map(escapeAll);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [escapeInterpolation(name), escapeAll(inner)]))
    : value;
};

/** Without the members that the gateway sets itself. */
const readBody = (extra: unknown): JsonObject | undefined => {
  const members = Object.entries(readObject(extra)).filter(([name]) => !ownMembers.includes(name));
  return members.length === 0 ? undefined : (escapeAll(Object.fromEntries(members)) as JsonObject);
};

const readReasoning = ({ reasoning_effort: effort, thinking }: JsonObject): JsonObject | undefined => {
  const { type, budget_tokens: budget } = readObject(thinking);
  if (type === 'disabled') return { effort: 'none' };
  if (countOf(budget) !== undefined) return { budget: countOf(budget) };
  return typeof effort === 'string' && efforts.has(effort) ? { effort } : undefined;
};

/** The defaults of a deployment; undefined if it has none. A client's own value replaces them there as here. */
export function readDefaults(params: JsonObject): JsonObject | undefined {
  const seed = numberOf(params['seed']);
  const defaults = omitUndefined({
    max_tokens: countOf(params['max_completion_tokens'] ?? params['max_tokens']),
    temperature: readBetween(params['temperature'], 0, Number.POSITIVE_INFINITY),
    top_p: readBetween(params['top_p'], 0, 1),
    top_k: countOf(params['top_k']),
    seed: Number.isInteger(seed) ? seed : undefined,
    stop: readStop(params['stop']),
    presence_penalty: numberOf(params['presence_penalty']),
    frequency_penalty: numberOf(params['frequency_penalty']),
    reasoning: readReasoning(params),
    body: readBody(params['extra_body']),
  });
  return Object.keys(defaults).length === 0 ? undefined : defaults;
}
