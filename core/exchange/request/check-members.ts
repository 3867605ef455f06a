import { defineSpelling } from '../../contracts/request-members.ts';
import { invalidRequest } from '../../errors/gateway-error.ts';
import { readJsonLayout, type JsonLayout } from '../../framing/json-layout.ts';
import { bodyBounds } from '../../framing/layout-of.ts';

const noSpelling = defineSpelling({});

/** Characters of a member name that a message quotes. */
const NAME_LENGTH = 128;

const refuse = (param: string, message: string): never => {
  throw invalidRequest(param.slice(-NAME_LENGTH), message);
};

const refuseRepeated = (path: string, first: string, second: string, own: string): never => {
  const [one, other] = [first, second].map((name) => `'${path}${name.slice(0, NAME_LENGTH)}'`);
  const and = first === second ? '' : ` (it is the same member as ${one})`;
  const twice = `${other} is in the body more than once${and}.`;
  return refuse(`${path}${own}`, `${twice} Parsers differ in which one they use: send only one of them.`);
};

const refuseSpelling = (path: string, name: string, own: string): never => {
  const must = `'${path}${name.slice(0, NAME_LENGTH)}' must be written '${path}${own}'`;
  return refuse(`${path}${name}`, `${must}: some parsers ignore case and would read it as that member.`);
};

/**
 * Refuses repeated members, in any letter case, at the top level and in the inner objects that the wire declares. Two
 * parsers could read different ones. Refuses also declared members in another spelling than the wire's.
 * @throws GatewayError 400 that names the member
 */
export function checkMembers(raw: Uint8Array, { members }: JsonLayout, spelling = noSpelling, path = ''): void {
  const { fold, names, inner } = spelling;
  const seen = new Map<string, string>();
  for (const { name, valueStart, end } of members) {
    const folded = fold(name);
    const accepted = names.get(folded);
    const first = seen.get(folded);
    if (first !== undefined) refuseRepeated(path, first, name, accepted?.[0] ?? folded);
    seen.set(folded, name);
    if (accepted !== undefined && !accepted.includes(name)) refuseSpelling(path, name, accepted[0] ?? '');
    const innerSpelling = inner.get(folded);
    if (innerSpelling !== undefined) {
      const value = raw.subarray(valueStart, end);
      checkMembers(value, readJsonLayout(value, bodyBounds), innerSpelling, `${path}${name}.`);
    }
  }
}
