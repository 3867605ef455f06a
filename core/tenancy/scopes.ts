import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Caller } from '../contracts/caller.ts';
import type { CallerScope } from '../contracts/limit.ts';
import type { Tenancy } from '../contracts/services.ts';

/**
 * Who stands above a caller, and which limits each level has. What a key gets is the nearest list that says something:
 * its own, its project's `keyLimits`, its organization's, the gateway's `limits`; a list replaces the one above as a
 * whole. A project or organization that the configuration does not name has no limits of its own.
 */
export function createTenancy({
  organizations,
  limits: everyKey,
}: Pick<GatewayConfig, 'organizations' | 'limits'>): Tenancy {
  const known = new WeakMap<Caller, readonly CallerScope[]>();
  const describe = ({ key, project, organization, limits }: Caller): readonly CallerScope[] => {
    const above = Object.hasOwn(organizations, organization) ? organizations[organization] : undefined;
    const home = above !== undefined && Object.hasOwn(above.projects, project) ? above.projects[project] : undefined;
    return [
      {
        scope: 'key',
        path: [organization, project, key],
        limits: limits ?? home?.keyLimits ?? above?.keyLimits ?? everyKey,
      },
      { scope: 'project', path: [organization, project], limits: home?.limits ?? [] },
      { scope: 'organization', path: [organization], limits: above?.limits ?? [] },
    ];
  };
  return {
    scopes: (caller) => {
      const found = known.get(caller) ?? describe(caller);
      known.set(caller, found);
      return found;
    },
  };
}
