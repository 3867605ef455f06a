import { isOperation } from '../../canonical/operation/operations.ts';
import { readList } from '../../canonical/json/read.ts';
import { describePath } from '../describe-path.ts';
import type { Finding, Path } from '../problem.ts';
import { defaultOperation } from '../resolve/default-operation.ts';
import type { Check } from './check.ts';
import { unknownReference } from './references.ts';
import { member, text } from './tolerant.ts';

/** Served by both listeners, before any route. */
const HEALTH = new Set(['/livez', '/readyz', '/startupz']);

const checkPath = (path: Path, value: string, method: string, seen: Map<string, Path>): readonly Finding[] => {
  const at = [...path, 'path'];
  if (HEALTH.has(value))
    return [
      {
        path: at,
        rule: 'reserved-path',
        message: `${JSON.stringify(value)} is reserved for the health check. Choose another path.`,
      },
    ];
  const first = seen.get(`${method} ${value}`);
  seen.set(`${method} ${value}`, first ?? path);
  return first === undefined
    ? []
    : [
        {
          path: at,
          rule: 'duplicate-route',
          message: `${method} ${value} is already served by ${describePath(first)}. Remove one of the two.`,
        },
      ];
};

/** Every route needs a codec for clients, and a path of its own. */
export const checkRoutes: Check = (context) => {
  const clientCodecs = context.registry.codecs.filter(({ client }) => client !== undefined);
  const wires = new Set(clientCodecs.map(({ wire }) => wire));
  const seen = new Map<string, Path>();

  const checkWire = (path: Path, route: unknown): readonly Finding[] => {
    const wire = text(member(route, 'wire'));
    const operation =
      text(member(route, 'operation')) ?? (wire === undefined ? undefined : defaultOperation(wire, clientCodecs));
    if (wire === undefined)
      return operation === 'models' || member(route, 'wire') !== undefined
        ? []
        : [{ path, on: 'key', rule: 'missing-key', message: `${describePath(path)} needs "wire".` }];
    if (!wires.has(wire)) return [unknownReference(context, [...path, 'wire'], wire, wires, 'wire')];
    if (
      operation === undefined ||
      !isOperation(operation) ||
      clientCodecs.some((codec) => codec.wire === wire && codec.operation === operation)
    )
      return [];
    const possible = clientCodecs.filter((codec) => codec.wire === wire).map((codec) => codec.operation);
    return [
      {
        path: [...path, 'operation'],
        rule: 'unserved-route',
        message:
          `The wire ${JSON.stringify(wire)} does not support the operation ${JSON.stringify(operation)}, only ` +
          `${possible.join(', ')}.`,
      },
    ];
  };

  return readList(member(context.data, 'routes')).flatMap((route, index) => {
    const path: Path = ['routes', index];
    if (!context.isWritten(path)) return [];
    const value = text(member(route, 'path'));
    const method = member(route, 'operation') === 'models' ? 'GET' : 'POST';
    return [...(value === undefined ? [] : checkPath(path, value, method, seen)), ...checkWire(path, route)];
  });
};
