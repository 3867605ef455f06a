import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { createTemporaryFolder } from '../../support/temporary-folder.ts';
import { chart, runHelm, type Outcome } from './tools.ts';

export type Values = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
}
interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string; readonly scheme: string };
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly timeoutSeconds?: number;
}
export interface Container extends Named {
  readonly args: readonly string[];
  readonly command: readonly string[];
  readonly ports: readonly (Named & { readonly containerPort: number })[];
  readonly env?: readonly (Named & {
    readonly value?: string;
    readonly valueFrom?: { readonly secretKeyRef: Named & { readonly key: string } };
  })[];
  readonly securityContext: Values;
  readonly startupProbe: Probe;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
  readonly volumeMounts: readonly (Named & { readonly mountPath: string; readonly subPath?: string })[];
}
export interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: Values;
  readonly containers: readonly [Container, ...Container[]];
  readonly terminationGracePeriodSeconds: number;
  readonly volumes: readonly (Named & {
    readonly configMap?: Named;
    readonly emptyDir?: object;
    readonly persistentVolumeClaim?: { readonly claimName: string };
    readonly secret?: {
      readonly secretName: string;
      readonly defaultMode: number;
      readonly items?: readonly { readonly key: string; readonly path: string }[];
    };
  })[];
}
/** The members of Kubernetes objects that the tests read. */
export interface KubernetesObject {
  readonly kind: string;
  readonly metadata: Named & {
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Values & {
    readonly template?: {
      readonly metadata: KubernetesObject['metadata'];
      readonly spec: PodSpec;
    };
  };
}

/** Runs `helm template` with these values. */
export const runTemplate = (values: Values, ...args: readonly string[]): Outcome => {
  const folder = createTemporaryFolder();
  try {
    const file = join(folder.path, 'values.yaml');
    writeFileSync(file, JSON.stringify(values));
    return runHelm('template', 'koine', chart, '--namespace', 'llm', '--values', file, ...args);
  } finally {
    folder.remove();
  }
};

/** The text of all objects of an installation with these values. */
export const renderText = (values: Values): string => {
  const { code, out, err } = runTemplate(values);
  if (code !== 0) throw new Error(err);
  return out;
};

export class Rendered {
  readonly objects: readonly KubernetesObject[];

  constructor(values: Values) {
    this.objects = parseAllDocuments(renderText(values)).map((each) => each.toJS() as KubernetesObject);
  }

  find(kind: string, suffix = ''): KubernetesObject | undefined {
    return this.objects.find((each) => each.kind === kind && each.metadata.name === `koine${suffix}`);
  }

  get(kind: string, suffix = ''): KubernetesObject {
    const found = this.find(kind, suffix);
    if (found === undefined) throw new Error(`no ${kind} koine${suffix}`);
    return found;
  }

  get pod(): PodSpec {
    return this.get('Deployment').spec!.template!.spec;
  }
}
