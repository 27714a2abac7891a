/** Lays out the app: sessions on the left, the session in the middle, a panel on the right. */
import type { ReactNode } from "react";
import { Announcer } from "./announcer.tsx";
import { Composer } from "./composer.tsx";
import { Dialogs } from "./dialogs.tsx";
import { GlobalKeys } from "./global-keys.tsx";
import { Header } from "./header.tsx";
import { PanelDrawer } from "./panels/panel-drawer.tsx";
import { Questions } from "./questions.tsx";
import { Sidebar } from "./sidebar.tsx";
import { Toasts } from "./toasts.tsx";
import { Transcript } from "./transcript.tsx";
import { changeUi } from "./ui.ts";
import { useSession, useUi } from "./use-client.ts";
import { Welcome } from "./welcome.tsx";

export function App(): ReactNode {
  const isOpen = useSession(() => true) === true;
  const id = useSession((session) => session.id);
  return (
    <div className="flex h-full">
      <SidebarPlace />
      <main className="flex min-w-0 flex-1 flex-col" aria-label="Session">
        <Header />
        <div className="relative min-h-0 flex-1">{isOpen ? <Transcript key={id} /> : <Welcome />}</div>
        <div className="mx-auto w-full max-w-[52rem] px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-5">
          <Questions />
          <Composer />
        </div>
      </main>
      <PanelDrawer />
      <GlobalKeys />
      <Dialogs />
      <Toasts />
      <Announcer />
    </div>
  );
}

function SidebarPlace(): ReactNode {
  const isOpen = useUi(({ sidebar }) => sidebar);
  const place = isOpen ? "translate-x-0" : "-translate-x-full max-lg:invisible lg:translate-x-0";
  return (
    <>
      {isOpen ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label="Close the list of sessions"
          className="fixed inset-0 z-20 bg-shade lg:hidden"
          onClick={() => changeUi({ sidebar: false })}
        />
      ) : null}
      <div
        className={`fixed inset-y-0 left-0 z-30 w-[17.5rem] max-w-[86vw] transition-transform lg:static lg:z-0 ${place}`}
      >
        <Sidebar />
      </div>
    </>
  );
}
