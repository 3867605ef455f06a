import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import type { Check, CheckContext } from './check.ts';
import { isWildcard } from '../wildcards.ts';
import { unknownReference } from './references.ts';
import { listModels, member, names, text } from './tolerant.ts';

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

/** The providers and wires of targets must exist. */
export const checkModels: Check = (context) => {
  const providers = names(member(context.data, 'providers'));
  const [clientWires, upstreamWires] = [wiresWith(context, 'client'), wiresWith(context, 'upstream')];
  return listModels(context.data).flatMap(([id, model]) => {
    const path: Path = ['models', id];
    const wires = readList(member(model, 'wires')).flatMap((wire, index) =>
      checkWire(context, [...path, 'wires', index], text(wire), clientWires),
    );
    const targets = readList(member(model, 'targets')).flatMap((target, index) => {
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

/** A wildcard has one `*` in its id, and only its targets can have one in the name of the model. */
export const checkWildcards: Check = ({ data }) =>
  listModels(data).flatMap(([id, model]): readonly Finding[] => {
    const path: Path = ['models', id];
    if (id.indexOf('*') !== id.lastIndexOf('*'))
      return [
        {
          path,
          on: 'key',
          rule: 'invalid-name',
          message: `${describePath(path)} has more than one "*". Write one, such as openai/*.`,
        },
      ];
    return readList(member(model, 'targets')).flatMap((target, index): readonly Finding[] => {
      const name = text(member(target, 'model')) ?? '';
      const first = name.indexOf('*');
      if (first === -1 || (first === name.lastIndexOf('*') && isWildcard(id))) return [];
      const at = [...path, 'targets', index, 'model'];
      const remedy = isWildcard(id)
        ? 'Write it once.'
        : 'Write the name of the model, or give the entry an id with "*".';
      return [
        {
          path: at,
          rule: 'invalid-value',
          message: `In ${describePath(at)}, "*" stands for the text that "*" in the id matches. ${remedy}`,
        },
      ];
    });
  });

/** All models that a wildcard matches are served by one, if no target passes their name on. */
export const checkFixedTargets: Check = ({ data }) =>
  listModels(data).flatMap(([id, model]): readonly Finding[] => {
    if (!isWildcard(id)) return [];
    const targets = readList(member(model, 'targets')).map((target) => text(member(target, 'model')) ?? '*');
    if (targets.length === 0 || targets.some((name) => name.includes('*'))) return [];
    const path: Path = ['models', id, 'targets'];
    return [
      {
        path,
        on: 'key',
        severity: 'warning',
        rule: 'fixed-target',
        message:
          `Every model that ${describePath(['models', id])} matches is served by ${targets[0]}: no target has ` +
          '"*" in its model. Write it where the name belongs, or give the entry an id without "*".',
      },
    ];
  });

/** A provider without a target is never called. */
export const checkUnusedProviders: Check = ({ data }) => {
  const used = new Set(
    listModels(data).flatMap(([, model]) =>
      readList(member(model, 'targets')).map((target) => member(target, 'provider')),
    ),
  );
  return [...names(member(data, 'providers'))]
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['providers', name],
      on: 'key',
      severity: 'warning',
      rule: 'unused-provider',
      message:
        `${describePath(['providers', name])} is never called: no model has a target with this provider. ` +
        'Add one, or remove the provider.',
    }));
};

/** A target that is listed twice is not tried twice. */
export const checkDuplicateTargets: Check = ({ data }) =>
  listModels(data).flatMap(([id, model]) => {
    const targets = readList(member(model, 'targets'));
    if (targets.length < 2) return [];
    const first = new Map<string, Path>();
    return targets.flatMap((target, index): readonly Finding[] => {
      const path: Path = ['models', id, 'targets', index];
      const identity = JSON.stringify(['provider', 'model', 'wire'].map((name) => member(target, name)));
      const earlier = first.get(identity);
      first.set(identity, earlier ?? path);
      return earlier === undefined
        ? []
        : [
            {
              path,
              severity: 'warning',
              rule: 'duplicate-target',
              message: `${describePath(path)} is the same target as ${describePath(earlier)}. Remove one of them.`,
            },
          ];
    });
  });
