import type { Members } from '../../../core/api/codec.ts';
import { invalidMember } from '../request-members.ts';

/** Texts of forms, as Python and JavaScript write them. */
const flags: Readonly<Record<string, boolean>> = {
  'true': true,
  'True': true,
  '1': true,
  'false': false,
  'False': false,
  '0': false,
  '': false,
};

/** A field of a form that is true or false. @throws GatewayError 400 that names the field */
export function readFlag(body: Members, name: string): boolean {
  const text = body.string(name);
  if (text === undefined) return false;
  const flag = Object.hasOwn(flags, text) ? flags[text] : undefined;
  if (flag === undefined) throw invalidMember(name, 'must be true or false.');
  return flag;
}

/** A field of a form that is a number of things, at least one. @throws GatewayError 400 that names the field */
export function readNumber(body: Members, name: string): number | undefined {
  const text = body.string(name);
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw invalidMember(name, 'must be an integer of at least 1.');
}
