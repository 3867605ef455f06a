import type { AdminActor } from '../../contracts/admin.ts';

/** Who an actor is, whatever the name. */
export interface Identity {
  /** `person`, or the kind of another actor: `token`, `loopback`. */
  readonly kind: string;
  readonly issuer?: string;
  readonly subject?: string;
}

/** Names of other actors are fixed, and no person has one of them. An issuer has no space. */
export function identify({ id, name }: AdminActor): Identity {
  if (id === undefined) return { kind: name };
  const end = id.indexOf(' ');
  return { kind: 'person', issuer: id.slice(0, end), subject: id.slice(end + 1) };
}
