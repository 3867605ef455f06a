import type { ValidateFunction } from 'ajv';
import { isObject } from '../../canonical/json/members.ts';
import type { Limit } from '../../contracts/limit.ts';
import { GatewayError } from '../../errors/gateway-error.ts';
import { describePath } from '../describe-path.ts';
import { describeViolation } from './describe-violation.ts';
import type { DraftLimit } from '../schema/draft.ts';
import { checkLimitList } from './limit-rules.ts';
import type { Finding, Path } from '../problem.ts';
import { resolveLimit } from '../resolve/resolve-limit.ts';
import { definitions } from '../schema/definitions.ts';
import { limits } from '../schema/limit.ts';
import { compileSchema, readPointer } from './validate.ts';

type Validate = ValidateFunction<readonly DraftLimit[]>;

let compiled: Validate | undefined;
/** Compiled when first asked for: most gateways never are. */
const compileList = (): Validate => {
  compiled ??= compileSchema<readonly DraftLimit[]>({ ...limits('Limits.'), definitions });
  return compiled;
};

/** Answers and their logs stay small whatever was sent. */
const MOST_TOLD = 5;

const refuse = (findings: readonly Finding[]): GatewayError => {
  const told = findings.slice(0, MOST_TOLD).map(({ message }) => message);
  return new GatewayError('invalid_request', told.join(' '), { param: describePath(findings[0]?.path ?? []) });
};

const find = (value: unknown, name: string | number): unknown =>
  Array.isArray(value) ? value[Number(name)] : isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;

/**
 * Limits as operators write them (`[{ requests: 60, per: '1m' }]`) from outside the file: the admin API, the command line, a key service.
 * Held to the same schema and the same rules; whether the models exist is not asked.
 * @param value parsed JSON, left as it is
 * @param place where it stands, as messages and `param` begin: `limits`, `keys.alice.limits`
 * @throws GatewayError `invalid_request`
 */
export function readLimits(value: unknown, place: string): readonly Limit[] {
  const root: Path = place.split('.');
  const list: unknown = structuredClone(value);
  const validate = compileList();
  if (validate(list)) {
    const findings = checkLimitList(list, root);
    if (findings.length > 0) throw refuse(findings);
    return list.map(resolveLimit);
  }
  const places = {
    isFilled: () => false,
    isWritten: (path: Path) => path.slice(root.length).reduce(find, value) !== undefined,
  };
  const violations = (validate.errors ?? []).map((error) =>
    describeViolation(error, [...root, ...readPointer(error.instancePath, list)], places),
  );
  throw refuse([...violations, ...checkLimitList(list, root)]);
}
