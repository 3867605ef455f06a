import type { GatewayConfig, OrganizationConfig, ProjectConfig } from '../config/gateway-config.ts';
import type { Caller } from '../contracts/caller.ts';
import type { CallerScope } from '../contracts/caller.ts';
import type { Tenancy } from '../contracts/services.ts';

/** The rules of a project or an organization; without any if it is not in the configuration. */
const rulesOf = (
  config: ProjectConfig | OrganizationConfig | undefined,
): Pick<CallerScope, 'limits' | 'hostedTools'> => ({
  limits: config?.limits ?? [],
  ...(config?.hostedTools === undefined ? {} : { hostedTools: config.hostedTools }),
});

/**
 * Finds the scopes of a caller and the limits of each. The limits of a key are the nearest list that is set: its own,
 * those of `admin.personalKeys` if a person has made it, the `keyLimits` of its project, those of its organization,
 * or the `limits` of the gateway. A list replaces the one above as a whole. A project or an organization that is not
 * in the configuration has no limits of its own.
 */
export function createTenancy({
  organizations,
  limits: defaultLimits,
  admin: { personalKeys },
}: Pick<GatewayConfig, 'organizations' | 'limits'> & {
  readonly admin: Pick<GatewayConfig['admin'], 'personalKeys'>;
}): Tenancy {
  const cache = new WeakMap<Caller, readonly CallerScope[]>();
  const describe = ({ key, project, organization, limits, personal, hostedTools }: Caller): readonly CallerScope[] => {
    const ownOrganization = Object.hasOwn(organizations, organization) ? organizations[organization] : undefined;
    const ownProject =
      ownOrganization !== undefined && Object.hasOwn(ownOrganization.projects, project)
        ? ownOrganization.projects[project]
        : undefined;
    return [
      {
        scope: 'key',
        path: [organization, project, key],
        ...(hostedTools === undefined ? {} : { hostedTools }),
        limits:
          limits ??
          (personal && personalKeys?.limits) ??
          ownProject?.keyLimits ??
          ownOrganization?.keyLimits ??
          defaultLimits,
      },
      { scope: 'project', path: [organization, project], ...rulesOf(ownProject) },
      { scope: 'organization', path: [organization], ...rulesOf(ownOrganization) },
    ];
  };
  return {
    scopes: (caller) => {
      const scopes = cache.get(caller) ?? describe(caller);
      cache.set(caller, scopes);
      return scopes;
    },
  };
}
