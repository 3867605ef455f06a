import { GatewayError, invalidRequest } from '../../core/api/index.ts';
import { isObject, type Members, readMembers } from '../../core/api/codec.ts';

/** A 400 whose message begins with the path of the member. @param problem `is required.` */
export const invalidMember = (path: string, problem: string): GatewayError =>
  invalidRequest(path, `'${path}' ${problem}`);

/** A request that the target cannot serve, by the member that asks for it. */
export const unsupported = (param: string, message: string): GatewayError =>
  new GatewayError('unsupported_parameter', message, { param });

export const requiredObject = (members: Members, name: string): Members =>
  members.object(name) ?? readMembers(undefined, members.at(name));

/** The arguments of a call. Some clients return them as the object they parsed. */
export function readArguments(members: Members, name: string): string {
  const found = members.value(name);
  return isObject(found) ? JSON.stringify(found) : (members.string(name) ?? '');
}
