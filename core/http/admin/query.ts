import type { Headers } from '../../canonical/wire.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';

/** Refuses parameters that a call does not have. @throws GatewayError `invalid_request` */
export function checkParameters(query: Headers, names: readonly string[]): void {
  const unknown = Object.keys(query).find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(unknown.slice(0, 64), `Unknown parameter; the parameters are ${names.join(', ')}.`);
}

/** Refuses members that a body does not have. @throws GatewayError `invalid_request` */
export function refuseUnknown(body: Readonly<Record<string, unknown>>, members: readonly string[]): void {
  const unknown = Object.keys(body).find((name) => !members.includes(name));
  if (unknown !== undefined)
    throw invalidRequest(unknown.slice(0, 64), `Unknown member. The members are ${members.join(', ')}.`);
}

/** @param more further values, for the message @throws GatewayError `invalid_request` */
export function readChoice<T extends string>(
  name: string,
  given: string | undefined,
  choices: readonly T[],
  more = '',
): T | undefined {
  if (given === undefined) return undefined;
  const found = choices.find((choice) => choice === given);
  if (found === undefined) throw invalidRequest(name, `${name} must be one of ${choices.join(', ')}${more}.`);
  return found;
}

/** The parameter `limit`: how many entries a page has. @throws GatewayError `invalid_request` */
export function readLimit({ limit }: Headers, usual: number, most: number): number {
  if (limit === undefined) return usual;
  if (/^\d{1,4}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= most) return Number(limit);
  throw invalidRequest('limit', `limit must be a number from 1 to ${most}.`);
}
