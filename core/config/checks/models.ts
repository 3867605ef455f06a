import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { CheckContext } from './check.ts';
import { isWildcard } from '../wildcards.ts';
import { unknownReference } from './references.ts';
import { listModels, member, names, text } from './tolerant.ts';

const wiresWith = ({ registry }: CheckContext, side: 'client' | 'upstream'): ReadonlySet<string> =>
  new Set(registry.codecs.filter((codec) => codec[side] !== undefined).map(({ wire }) => wire));

/** The providers and wires of targets must exist. */
export function* checkModels(context: CheckContext): Iterable<Finding> {
  const providers = names(member(context.data, 'providers'));
  const [clientWires, upstreamWires] = [wiresWith(context, 'client'), wiresWith(context, 'upstream')];
  function* check(path: Path, value: unknown, known: ReadonlySet<string>, what: 'provider' | 'wire') {
    const name = text(value);
    if (name !== undefined && !known.has(name)) yield unknownReference(context, path, name, known, what);
  }
  for (const [id, model] of listModels(context.data)) {
    for (const [index, wire] of readList(member(model, 'wires')).entries())
      yield* check(['models', id, 'wires', index], wire, clientWires, 'wire');
    for (const [index, target] of readList(member(model, 'targets')).entries()) {
      const path = ['models', id, 'targets', index];
      yield* check([...path, 'provider'], member(target, 'provider'), providers, 'provider');
      yield* check([...path, 'wire'], member(target, 'wire'), upstreamWires, 'wire');
    }
  }
}

/** A wildcard has one `*` in its id, and only its targets can have one in the name of the model. */
export function* checkWildcards({ data }: CheckContext): Iterable<Finding> {
  for (const [id, model] of listModels(data)) {
    const path: Path = ['models', id];
    if (id.indexOf('*') !== id.lastIndexOf('*')) {
      const message = `${describePath(path)} has more than one "*". Write one, such as openai/*.`;
      yield { path, on: 'key', rule: 'invalid-name', message };
      continue;
    }
    for (const [index, target] of readList(member(model, 'targets')).entries()) {
      const name = text(member(target, 'model')) ?? '';
      const first = name.indexOf('*');
      if (first === -1 || (first === name.lastIndexOf('*') && isWildcard(id))) continue;
      const at = [...path, 'targets', index, 'model'];
      const remedy = isWildcard(id)
        ? 'Write it once.'
        : 'Write the name of the model, or give the entry an id with "*".';
      const message = `In ${describePath(at)}, "*" stands for the text that "*" in the id matches. ${remedy}`;
      yield { path: at, rule: 'invalid-value', message };
    }
  }
}

/** All models that a wildcard matches are served by one, if no target passes their name on. */
export function* checkFixedTargets({ data }: CheckContext): Iterable<Finding> {
  for (const [id, model] of listModels(data)) {
    if (!isWildcard(id)) continue;
    const targets = readList(member(model, 'targets')).map((target) => text(member(target, 'model')) ?? '*');
    if (targets.length === 0 || targets.some((name) => name.includes('*'))) continue;
    const message =
      `Every model that ${describePath(['models', id])} matches is served by ${targets[0]}: no target has ` +
      '"*" in its model. Write it where the name belongs, or give the entry an id without "*".';
    yield { path: ['models', id, 'targets'], on: 'key', severity: 'warning', rule: 'fixed-target', message };
  }
}

/** A provider without a target is never called. */
export function* checkUnusedProviders({ data }: CheckContext): Iterable<Finding> {
  const targets = listModels(data).flatMap(([, model]) => readList(member(model, 'targets')));
  const used = new Set(targets.map((target) => member(target, 'provider')));
  for (const name of names(member(data, 'providers'))) {
    if (used.has(name)) continue;
    const path: Path = ['providers', name];
    const message =
      `${describePath(path)} is never called: no model has a target with this provider. ` +
      'Add one, or remove the provider.';
    yield { path, on: 'key', severity: 'warning', rule: 'unused-provider', message };
  }
}

/** A target that is listed twice is not tried twice. */
export function* checkDuplicateTargets({ data }: CheckContext): Iterable<Finding> {
  for (const [id, model] of listModels(data)) {
    const targets = readList(member(model, 'targets'));
    if (targets.length < 2) continue;
    const first = new Map<string, Path>();
    for (const [index, target] of targets.entries()) {
      const path: Path = ['models', id, 'targets', index];
      const identity = JSON.stringify(['provider', 'model', 'wire'].map((name) => member(target, name)));
      const earlier = first.get(identity);
      first.set(identity, earlier ?? path);
      if (earlier === undefined) continue;
      const message = `${describePath(path)} is the same target as ${describePath(earlier)}. Remove one of them.`;
      yield { path, severity: 'warning', rule: 'duplicate-target', message };
    }
  }
}
