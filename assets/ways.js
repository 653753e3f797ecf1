// Two ways on that need a script: to a random case, and, from an address that
// leads nowhere, to the case that was meant. Both read the list of ids when they
// are asked, and not before.

const idsOf = async (element) => {
  const response = await fetch(element.dataset.ids);
  if (!response.ok) throw new Error(String(response.status));
  return response.json();
};

const address = (cases, id) => `${cases}${id}/`;

const toRandom = async (event) => {
  const link = event.currentTarget;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  try {
    const ids = (await idsOf(link)).filter((id) => !location.pathname.includes(`/${id}/`));
    location.assign(address(link.href, ids[Math.floor(Math.random() * ids.length)]));
  } catch {
    location.assign(link.href);
  }
};

for (const link of document.querySelectorAll("a.random")) link.addEventListener("click", toRandom);

const meant = document.querySelector(".meant");
const number = /\bil[-_\s%20]*0*(\d{1,9})\b/i.exec(location.pathname)?.[1];
if (meant && number) {
  idsOf(meant).then((ids) => {
    const id = ids.find((known) => Number(known.slice(3)) === Number(number));
    if (!id) return;
    const link = document.createElement("a");
    link.href = address(meant.dataset.cases, id);
    link.textContent = id;
    meant.append(" ", link);
    meant.hidden = false;
  }, () => {});
}
