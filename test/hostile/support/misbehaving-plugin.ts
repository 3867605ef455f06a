import { definePlugin, type PluginDefinition, type PluginInstance } from '../../../core/api/index.ts';
import type { Fit } from '../../../core/api/codec.ts';

/** The hooks that a test gives the plugin; all others do nothing. */
export interface Misbehaviour {
  hooks: Partial<
    Pick<PluginInstance, 'middleware' | 'identify' | 'enter' | 'admit' | 'interceptor' | 'observe' | 'explain'>
  > & { readonly fit?: Fit['fit'] };
}

/** A plugin with every hook. */
export const createMisbehavingPlugin = (name: string, misbehaviour: Misbehaviour): PluginDefinition =>
  definePlugin({
    kind: 'plugin',
    apiVersion: 1,
    name,
    schema: { type: 'object' },
    create: () => ({
      middleware: (context, next) => misbehaviour.hooks.middleware?.(context, next) ?? next(),
      identify: (head) => misbehaviour.hooks.identify?.(head),
      enter: (head, caller) => misbehaviour.hooks.enter?.(head, caller),
      admit: (exchange) => misbehaviour.hooks.admit?.(exchange),
      interceptor: (next) => (attempt) => (misbehaviour.hooks.interceptor?.(next) ?? next)(attempt),
      fits: [
        {
          name: 'misbehaviour',
          fit: (request, profile, context) => misbehaviour.hooks.fit?.(request, profile, context),
        },
      ],
      observe: (exchange, attempt) => misbehaviour.hooks.observe?.(exchange, attempt),
      explain: (exchange) => misbehaviour.hooks.explain?.(exchange),
    }),
  });

/** A text that no client may see. */
export const INSIDE = 'the-inside-of-a-plugin';

/** Casts a value that an author without types could return. */
const lie = <T>(value: unknown): T => value as T;
const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds, longer than the time limit of the plugin. */
export const LATE_MS = 250;

/** Failures of any hook. */
export const failures: Readonly<Record<string, <T>() => T>> = {
  'throws': () => {
    throw new Error(INSIDE);
  },
  'throws a value that is not an Error': () => {
    // oxlint-disable-next-line no-throw-literal -- as a plugin author could
    throw INSIDE;
  },
  'rejects': () => lie(Promise.reject(new Error(INSIDE))),
  'never resolves': () => lie(new Promise(() => {})),
  'rejects after its time limit': () => lie(wait(LATE_MS).then(() => Promise.reject(new Error(INSIDE)))),
};

/** Wrong results of any hook that returns something. */
export const garbage: Readonly<Record<string, <T>() => T>> = Object.fromEntries(
  Object.entries({ 'a number': 42, 'a string': INSIDE, 'null': null, 'an array': [], 'true': true }).map(
    ([name, value]) => [`returns ${name}`, () => lie(value)],
  ),
);
