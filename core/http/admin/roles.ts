import type { AdminActor, AdminRole, CallDescription } from '../../contracts/admin.ts';
import { GatewayError } from '../../errors/gateway-error.ts';

/** In ascending order: each role includes those before it. */
export const roles = ['developer', 'viewer', 'editor', 'admin'] as const satisfies readonly AdminRole[];

/** The least role that may make a call. */
export const leastRole = (method: string, { role }: Partial<CallDescription>): AdminRole =>
  role ?? (method.toLowerCase() === 'get' ? 'viewer' : 'admin');

/** Whether a role includes another one. */
export const covers = (role: AdminRole, least: AdminRole): boolean => roles.indexOf(role) >= roles.indexOf(least);

/** @throws GatewayError `permission_denied` that names the role which is needed */
export function checkRole({ name, role }: AdminActor, least: AdminRole): void {
  if (covers(role, least)) return;
  throw new GatewayError(
    'permission_denied',
    `This call needs the role ${least}, and ${name} has the role ${role}. ` +
      'The roles of people come from admin.oidc.roles of gateway.yaml.',
  );
}
