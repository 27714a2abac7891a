/** Starts the app: pairs the browser, then shows the sessions. */
import { type ReactNode, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import "./app.css";
import { createApi } from "./connection/api.ts";
import { forgetKey, type Pairing, pair } from "./connection/pair.ts";
import { App } from "./screen/app.tsx";
import { PairScreen } from "./screen/pair-screen.tsx";
import { showTheme, ui } from "./screen/ui.ts";
import { ClientContext } from "./screen/use-client.ts";
import { Client } from "./session/client.ts";

showTheme(ui.get().theme);
const place = document.getElementById("app");
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <Root first={pair()} />
    </StrictMode>,
  );
}

function Root({ first }: { readonly first: Promise<Pairing> }): ReactNode {
  const [pairing, setPairing] = useState<Pairing>();
  const [client, setClient] = useState<Client>();
  useEffect(() => {
    void first.then(setPairing);
    // A pairing link that is opened in this tab changes only the fragment, so the page is not loaded again.
    const again = () => void pair().then(setPairing);
    addEventListener("hashchange", again);
    return () => removeEventListener("hashchange", again);
  }, [first]);
  useEffect(() => {
    if (pairing?.kind !== "paired") return setClient(undefined);
    const pairAgain = (message: string) => {
      void forgetKey();
      setPairing({ kind: "unpaired", message });
    };
    const made = new Client(createApi(pairing.key, pairAgain));
    setClient(made);
    void made.start();
    return () => made.stop();
  }, [pairing]);
  if (pairing?.kind === "unpaired") return <PairScreen message={pairing.message} onPaired={setPairing} />;
  if (client === undefined) return null;
  return (
    <ClientContext value={client}>
      <App />
    </ClientContext>
  );
}
