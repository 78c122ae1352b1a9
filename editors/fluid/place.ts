/** Where documents are: on a server, with a tenant, under a number that the server draws. */

/** The tenant of documents outside a trial. */
const ANYONE = 'anyone';
/** Behind it, the server half keeps which number belongs to a document's name. */
const NAMES = 'names';

/** The name of the tenant stands in each address that the library makes: it is the trial's token. */
export interface Place {
  endpoint: string;
  tenant: string;
}

/** @param url as in `JoinOptions` */
export function placeAt(url: string): Place {
  const { host, pathname } = new URL(url);
  return { endpoint: `http://${host}`, tenant: pathname.split('/')[1] || ANYONE };
}

/** The document's number; null if it has none yet and none is offered. Who offers one gets the first that was. */
export async function documentNumber({ endpoint, tenant }: Place, name: string, offer = ''): Promise<string | null> {
  const response = await fetch(`${endpoint}/${NAMES}/${tenant}/${encodeURIComponent(name)}?${offer}`);
  const number = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${number}`);
  return number || null;
}

/** Answers Fluid's client's questions for addresses. The library's own resolver knows only servers without a gate. */
export function createResolver({ endpoint, tenant }: Place) {
  return {
    async resolve({ url }: { url: string }) {
      const id = url.split('/')[0] || 'new';
      return {
        type: 'fluid',
        id,
        url: `${endpoint}/${tenant}/${id}`,
        tokens: {},
        endpoints: {
          ordererUrl: endpoint,
          storageUrl: `${endpoint}/repos/${tenant}`,
          deltaStorageUrl: `${endpoint}/deltas/${tenant}/${id}`,
        },
      };
    },
    getAbsoluteUrl: async ({ id }: { id: string }, relative: string) => `${id}/${relative}`,
  };
}
