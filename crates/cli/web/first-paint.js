// Runs before the page is drawn: the first example stands in the page, but a link to another
// position does not show it first.

if (/[?&](view|rules|start|moves)=/.test(location.search)) document.documentElement.classList.add("linked");
