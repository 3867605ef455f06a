import type { ValidateFunction } from 'ajv';
import type { Limit } from '../../contracts/caller.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { valueAt } from '../checks/tolerant.ts';
import { describePath } from '../describe-path.ts';
import { describeViolation } from './describe-violation.ts';
import type { DraftLimit } from '../schema/draft.ts';
import { checkLimitList } from './limit-rules.ts';
import type { Finding, Path } from '../problem.ts';
import { resolveLimit } from '../resolve/resolve-limit.ts';
import { definitions } from '../schema/definitions.ts';
import { limits } from '../schema/limit.ts';
import { compileSchema, readPointer } from './validate.ts';

let compiled: ValidateFunction<readonly DraftLimit[]> | undefined;

/** Bounds the size of the error message. */
const MAX_REPORTED = 5;

const refuse = (findings: readonly Finding[]): GatewayError => {
  const messages = findings.slice(0, MAX_REPORTED).map(({ message }) => message);
  return new GatewayError('invalid_request', messages.join(' '), { param: describePath(findings[0]?.path ?? []) });
};

/**
 * Validates and resolves limits in the form of the file (`[{ requests: 60, per: '1m' }]`) from another source: the
 * admin API, the command line or a key service. The schema and the rules are those of the file, but models need not
 * exist.
 * @param value parsed JSON; not modified
 * @param place the path of the list, as messages and `param` show it: `limits`, `keys.alice.limits`
 * @throws GatewayError `invalid_request`
 */
export function readLimits(value: unknown, place: string): readonly Limit[] {
  const root: Path = place.split('.');
  const list: unknown = structuredClone(value);
  // Compiled on first use: most gateways never need it.
  const validate = (compiled ??= compileSchema<readonly DraftLimit[]>({ ...limits('Limits.'), definitions }));
  if (validate(list)) {
    const findings = [...checkLimitList(list, root)];
    if (findings.length > 0) throw refuse(findings);
    return list.map(resolveLimit);
  }
  const places = {
    isInterpolated: () => false,
    isWritten: (path: Path) => valueAt(value, path.slice(root.length)) !== undefined,
  };
  const violations = (validate.errors ?? []).map((error) =>
    describeViolation(error, [...root, ...readPointer(error.instancePath, list)], places),
  );
  throw refuse([...violations, ...checkLimitList(list, root)]);
}
