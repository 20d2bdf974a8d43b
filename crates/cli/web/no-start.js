// Says why the page does not start. `first-paint.js` loads it when a module cannot be loaded: as a
// plain script, which a browser also runs from a folder or in a frame that is shut off.

{
  const SENTENCES = {
    en: {
      file: "A browser does not load the parts of this page from a folder. Serve the folder, for example with 'python3 -m http.server', and open http://localhost:8000/.",
      frame: "This frame does not let the page load its parts. Open the page in a tab of its own.",
      missing: "A part of the page could not be loaded. Check that you are online, and reload the page.",
    },
    fr: {
      file: "Un navigateur ne charge pas les éléments de cette page depuis un dossier. Servez le dossier, par exemple avec « python3 -m http.server », et ouvrez http://localhost:8000/.",
      frame: "Ce cadre ne laisse pas la page charger ses éléments. Ouvrez-la dans un onglet à part.",
      missing: "Un élément de la page n’a pas pu être chargé. Vérifiez que vous êtes en ligne et rechargez la page.",
    },
    ca: {
      file: "Un navegador no carrega les parts d’aquesta pàgina des d’una carpeta. Serviu la carpeta, per exemple amb «python3 -m http.server», i obriu http://localhost:8000/.",
      frame: "Aquest marc no deixa que la pàgina carregui les seves parts. Obriu-la en una pestanya pròpia.",
      missing: "No s’ha pogut carregar una part de la pàgina. Comproveu que teniu connexió i torneu a carregar la pàgina.",
    },
    es: {
      file: "Un navegador no carga las partes de esta página desde una carpeta. Sirve la carpeta, por ejemplo con «python3 -m http.server», y abre http://localhost:8000/.",
      frame: "Este marco no deja que la página cargue sus partes. Ábrela en una pestaña propia.",
      missing: "No se ha podido cargar una parte de la página. Comprueba que tienes conexión y recarga la página.",
    },
    pt: {
      file: "Um navegador não carrega as partes desta página a partir de uma pasta. Sirva a pasta, por exemplo com “python3 -m http.server”, e abra http://localhost:8000/.",
      frame: "Esta moldura não deixa a página carregar as suas partes. Abra-a num separador próprio.",
      missing: "Não foi possível carregar uma parte da página. Verifique se tem ligação e recarregue a página.",
    },
  };

  const why = location.protocol === "file:" ? "file" : self.origin === "null" ? "frame" : "missing";
  const sentence = SENTENCES[document.documentElement.lang][why];
  document.body.classList.remove("loading");
  document.getElementById("verdict").textContent = "";
  document.getElementById("error").textContent = sentence;
  document.getElementById("notice").hidden = false;
}
