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

function* checkPin({ provider, wire, endpoint }: Target, path: Path): Iterable<Finding> {
  const wires = [...new Set(endpoint.wires.map((own) => own.wire))];
  if (wire === undefined || wires.includes(wire)) return;
  const message =
    `${describePath(['providers', provider])} does not speak ${JSON.stringify(wire)} for this model, ` +
    `only ${wires.join(', ')}.${describeSuggestion(wire, wires)}`;
  yield { path, rule: 'unspoken-wire', message };
}

function* checkOpened({ id, targets }: Model, { wire, operations }: ClientWire, path: Path): Iterable<Finding> {
  const served = new Set(targets.flatMap(operationsOf));
  if (operations.some((operation) => isServed(operation, served))) return;
  const message =
    `No target of ${describePath(['models', id])} can serve ${JSON.stringify(wire)}: ` +
    `it is for ${operations.join(' or ')}, which none of them supports.`;
  yield { path, rule: 'unspoken-wire', message };
}

/** Wires in the configuration that the provider or the targets do not speak. */
export function* findUnspoken(
  { models: configured }: Pick<GatewayConfig, 'models'>,
  models: readonly Model[],
  clientWires: readonly ClientWire[],
): Iterable<Finding> {
  for (const model of models) {
    const path: Path = ['models', model.id];
    for (const [index, target] of model.targets.entries()) yield* checkPin(target, [...path, 'targets', index, 'wire']);
    for (const [index, wire] of (configured[model.id]?.wires ?? []).entries())
      for (const known of clientWires)
        if (known.wire === wire) yield* checkOpened(model, known, [...path, 'wires', index]);
  }
}

/** Wires and framings that a provider names and no extension defines. */
export const findUnknown = (
  models: readonly Model[],
  { codec, codecs, framing }: Pick<Registry, 'codec' | 'codecs' | 'framing'>,
): Iterable<Finding> => {
  const unknown = new Map<string, Finding>();
  for (const { provider, endpoint } of models.flatMap(({ targets }) => targets))
    for (const { operation, wire, framing: framed = 'sse' } of endpoint.wires) {
      const name = describePath(['providers', provider]);
      const path: Path = ['providers', provider, 'use'];
      if (codec(operation, wire) === undefined) {
        const known = codecs.filter((own) => own.operation === operation).map((own) => own.wire);
        const message =
          `${name} has ${JSON.stringify(wire)} among its wires for ${operation}, ` +
          'and no extension has a codec for it. ' +
          `Register one in \`codecs\`, or use one of ${known.join(', ')}.${describeSuggestion(wire, known)}`;
        unknown.set(`${provider} ${operation} ${wire}`, { path, rule: 'unknown-wire', message });
      } else if (framing(framed) === undefined) {
        const message =
          `${name} has the framing ${JSON.stringify(framed)} for ${JSON.stringify(wire)}, ` +
          'which no extension defines. Register it in `framings`.';
        unknown.set(`${provider} ${framed}`, { path, rule: 'unknown-wire', message });
      }
    }
  return unknown.values();
};
