import { isServed } from '../../canonical/operation/operations.ts';
import type { Operation } from '../../canonical/wire.ts';
import type { Model } from '../../catalog/catalog.ts';
import type { ClientWire } from '../../catalog/client-wires.ts';
import { describePath } from '../../config/describe-path.ts';
import type { GatewayConfig } from '../../config/gateway-config.ts';
import type { Finding, Path } from '../../config/problem.ts';
import { describeSuggestion } from '../../config/suggest.ts';
import type { Target } from '../../contracts/target.ts';
import type { Registry } from '../../extensions/registry.ts';

/** The operations of a target: on the wire that it is pinned to, or on any wire that its provider speaks. */
export const operationsOf = ({ wire, endpoint }: Target): readonly Operation[] =>
  endpoint.wires.filter((own) => wire === undefined || own.wire === wire).map(({ operation }) => operation);

const checkPin = ({ provider, wire, endpoint }: Target, path: Path): readonly Finding[] => {
  const wires = [...new Set(endpoint.wires.map((own) => own.wire))];
  return wire === undefined || wires.includes(wire)
    ? []
    : [
        {
          path,
          rule: 'unspoken-wire',
          message:
            `${describePath(['providers', provider])} does not speak ${JSON.stringify(wire)} for this model, ` +
            `only ${wires.join(', ')}.${describeSuggestion(wire, wires)}`,
        },
      ];
};

const checkOpened = ({ id, targets }: Model, { wire, operations }: ClientWire, path: Path): readonly Finding[] => {
  const served = new Set(targets.flatMap(operationsOf));
  return operations.some((operation) => isServed(operation, served))
    ? []
    : [
        {
          path,
          rule: 'unspoken-wire',
          message:
            `No target of ${describePath(['models', id])} can serve ${JSON.stringify(wire)}: ` +
            `it is for ${operations.join(' or ')}, which none of them supports.`,
        },
      ];
};

/** Wires in the configuration that the provider or the targets do not speak. */
export const findUnspoken = (
  { models: configured }: Pick<GatewayConfig, 'models'>,
  models: readonly Model[],
  clientWires: readonly ClientWire[],
): readonly Finding[] =>
  models.flatMap((model) => {
    const path: Path = ['models', model.id];
    const opened = configured[model.id]?.wires ?? [];
    return [
      ...model.targets.flatMap((target, index) => checkPin(target, [...path, 'targets', index, 'wire'])),
      ...opened.flatMap((wire, index) =>
        clientWires
          .filter((known) => known.wire === wire)
          .flatMap((known) => checkOpened(model, known, [...path, 'wires', index])),
      ),
    ];
  });

/** Wires and framings that a provider names and no extension defines. */
export const findUnknown = (
  models: readonly Model[],
  { codec, codecs, framing }: Pick<Registry, 'codec' | 'codecs' | 'framing'>,
): readonly Finding[] => {
  const unknown = new Map<string, Finding>();
  for (const { provider, endpoint } of models.flatMap(({ targets }) => targets))
    for (const { operation, wire, framing: framed = 'sse' } of endpoint.wires) {
      const name = describePath(['providers', provider]);
      const path: Path = ['providers', provider, 'use'];
      const known = codecs.filter((own) => own.operation === operation).map((own) => own.wire);
      if (codec(operation, wire) === undefined)
        unknown.set(`${provider} ${operation} ${wire}`, {
          path,
          rule: 'unknown-wire',
          message:
            `${name} has ${JSON.stringify(wire)} among its wires for ${operation}, ` +
            'and no extension has a codec for it. ' +
            `Register one in \`codecs\`, or use one of ${known.join(', ')}.${describeSuggestion(wire, known)}`,
        });
      else if (framing(framed) === undefined)
        unknown.set(`${provider} ${framed}`, {
          path,
          rule: 'unknown-wire',
          message:
            `${name} has the framing ${JSON.stringify(framed)} for ${JSON.stringify(wire)}, ` +
            'which no extension defines. ' +
            'Register it in `framings`.',
        });
    }
  return [...unknown.values()];
};
