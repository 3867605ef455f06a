import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check, CheckContext } from './check.ts';
import { unknownReference } from './references.ts';
import { entries, items, member, names, text } from './tolerant.ts';

type Side = 'client' | 'upstream';

const wiresWith = ({ registry }: CheckContext, side: Side): ReadonlySet<string> =>
  new Set(registry.codecs.filter((codec) => codec[side] !== undefined).map(({ wire }) => wire));

const checkWire = (
  context: CheckContext,
  path: Path,
  wire: string | undefined,
  known: ReadonlySet<string>,
): readonly Finding[] =>
  wire === undefined || known.has(wire) ? [] : [unknownReference(context, path, wire, known, 'wire')];

/** Targets name providers that exist, and wires that are spoken. */
export const checkModels: Check = (context) => {
  const providers = names(member(context.data, 'providers'));
  const [clientWires, upstreamWires] = [wiresWith(context, 'client'), wiresWith(context, 'upstream')];
  return entries(member(context.data, 'models')).flatMap(([id, model]) => {
    const path: Path = ['models', id];
    const wires = items(member(model, 'wires')).flatMap((wire, index) =>
      checkWire(context, [...path, 'wires', index], text(wire), clientWires),
    );
    const targets = items(member(model, 'targets')).flatMap((target, index) => {
      const at = [...path, 'targets', index];
      const provider = text(member(target, 'provider'));
      const unknown =
        provider === undefined || providers.has(provider)
          ? []
          : [unknownReference(context, [...at, 'provider'], provider, providers, 'provider')];
      return [...unknown, ...checkWire(context, [...at, 'wire'], text(member(target, 'wire')), upstreamWires)];
    });
    return [...wires, ...targets];
  });
};

/** A provider that no model leads to does nothing. */
export const checkUnusedProviders: Check = ({ data }) => {
  const used = new Set(
    entries(member(data, 'models')).flatMap(([, model]) =>
      items(member(model, 'targets')).map((target) => member(target, 'provider')),
    ),
  );
  return [...names(member(data, 'providers'))]
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['providers', name],
      on: 'key',
      severity: 'warning',
      rule: 'unused-provider',
      message: `No model has a target at ${describePath(['providers', name])}, so it is never called.`,
    }));
};

/** What failed is not tried again by being listed again. */
export const checkDuplicateTargets: Check = ({ data }) =>
  entries(member(data, 'models')).flatMap(([id, model]) => {
    const first = new Map<string, Path>();
    return items(member(model, 'targets')).flatMap((target, index): readonly Finding[] => {
      const path: Path = ['models', id, 'targets', index];
      const identity = JSON.stringify(['provider', 'model', 'wire'].map((name) => member(target, name)));
      const twin = first.get(identity);
      first.set(identity, twin ?? path);
      return twin === undefined
        ? []
        : [
            {
              path,
              severity: 'warning',
              rule: 'duplicate-target',
              message: `${describePath(path)} leads where ${describePath(twin)} leads. Remove one of them.`,
            },
          ];
    });
  });
