/** Passkeys in this browser: what the house writes as JSON, as WebAuthn takes and gives it. */

type Options = Record<string, unknown>;

const bytes = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));

const text = (given: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(given ?? new ArrayBuffer())))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

/** Whether this browser has them at this address: an address of numbers alone cannot have any. */
export function canUsePasskeys(): boolean {
  const isNamed = !/^[\d.]+$|^\[/.test(location.hostname);
  return isNamed && window.isSecureContext && "PublicKeyCredential" in window;
}

/** Makes a passkey as the house asks for it. */
export async function makePasskey(options: Options): Promise<object> {
  const user = options.user as { id: string; name: string; displayName: string };
  const excluded = (options.excludeCredentials ?? []) as { id: string; type: "public-key" }[];
  const made = (await navigator.credentials.create({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialCreationOptions),
      challenge: bytes(options.challenge as string),
      user: { ...user, id: bytes(user.id) },
      excludeCredentials: excluded.map((each) => ({ ...each, id: bytes(each.id) })),
    },
  })) as PublicKeyCredential | null;
  if (!made) throw new Error("no passkey was made");
  const response = made.response as AuthenticatorAttestationResponse;
  return told(made, {
    clientDataJSON: text(response.clientDataJSON),
    attestationObject: text(response.attestationObject),
  });
}

/** Has a passkey sign what the house asks for. */
export async function usePasskey(options: Options): Promise<object> {
  const used = (await navigator.credentials.get({
    publicKey: {
      ...(options as unknown as PublicKeyCredentialRequestOptions),
      challenge: bytes(options.challenge as string),
      allowCredentials: [],
    },
  })) as PublicKeyCredential | null;
  if (!used) throw new Error("no passkey was used");
  const response = used.response as AuthenticatorAssertionResponse;
  return told(used, {
    clientDataJSON: text(response.clientDataJSON),
    authenticatorData: text(response.authenticatorData),
    signature: text(response.signature),
    userHandle: text(response.userHandle),
  });
}

function told(credential: PublicKeyCredential, response: object): object {
  return { id: credential.id, rawId: text(credential.rawId), type: credential.type, response };
}
