import { invalidRequest, type GatewayError } from '../../core/api/index.ts';
import { isObject, type Members, readMembers } from '../../core/api/codec.ts';

/** A 400 whose message begins with the path of the member. @param problem `is required.` */
export const invalidMember = (path: string, problem: string): GatewayError =>
  invalidRequest(path, `'${path}' ${problem}`);

export const requiredObject = (members: Members, name: string): Members =>
  members.object(name) ?? readMembers(undefined, members.at(name));

/** The arguments of a call. Some clients return them as the object they parsed. */
export function readArguments(members: Members, name: string): string {
  const found = members.value(name);
  return isObject(found) ? JSON.stringify(found) : (members.string(name) ?? '');
}
