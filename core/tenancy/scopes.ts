import type { GatewayConfig, OrganizationConfig, ProjectConfig } from '../config/gateway-config.ts';
import type { Caller, CallerScope } from '../contracts/caller.ts';
import type { Tenancy } from '../contracts/services.ts';
import { mergeTenants, type StoredTenants } from './tenants/stored-tenants.ts';

const NONE: Pick<StoredTenants, 'version' | 'list'> = { version: 0, list: () => [] };

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
 * @param stored those of the database. Absent: there are none
 */
export function createTenancy(
  {
    organizations: configured,
    limits: defaultLimits,
    admin: { personalKeys },
  }: Pick<GatewayConfig, 'organizations' | 'limits'> & {
    readonly admin: Pick<GatewayConfig['admin'], 'personalKeys'>;
  },
  stored: Pick<StoredTenants, 'version' | 'list'> = NONE,
): Tenancy {
  let { version } = stored;
  let organizations = mergeTenants(configured, stored.list());
  let cache = new WeakMap<Caller, readonly CallerScope[]>();
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
    changes: stored,
    scopes: (caller) => {
      if (stored.version !== version) {
        ({ version } = stored);
        organizations = mergeTenants(configured, stored.list());
        cache = new WeakMap();
      }
      const scopes = cache.get(caller) ?? describe(caller);
      cache.set(caller, scopes);
      return scopes;
    },
  };
}
