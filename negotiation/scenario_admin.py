"""The scenario editor in the admin: write, validate, preview, publish, look back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from csp.decorators import csp_update
from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator

from accounts import quotas
from accounts.models import User
from negotiation import catalogue
from negotiation import scenario_services as services
from negotiation.engine.deal import ScenarioError
from negotiation.engine.deal.toml_lines import lines_of
from negotiation.models import AuthoredScenario, ScenarioPreview
from negotiation.scenario_checks import Checked
from negotiation.scenario_figures import figures
from negotiation.scenario_limits import check_apart, refusal


class NewScenarioForm(forms.ModelForm):
    """An id, and the shipped scenario to start from."""

    start_from = forms.ChoiceField(
        label="Start from", help_text="Its text is copied into your draft; the original stays as it is."
    )

    class Meta:
        model = AuthoredScenario
        fields = ("slug",)
        labels = {"slug": "Id"}
        help_texts = {"slug": "Small letters, digits and _, as in lab_lease. It can't be changed later."}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["start_from"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # declared above
        field.choices = [(s.id, s.title) for s in catalogue.shipped().values()]

    def clean_slug(self) -> str:
        """Not the id of a scenario that ships."""
        slug: str = self.cleaned_data["slug"]
        if slug in catalogue.shipped():
            raise forms.ValidationError(f"{slug} is a scenario that ships. Choose another id.")
        return slug


@admin.register(AuthoredScenario)
class AuthoredScenarioAdmin(admin.ModelAdmin):
    """Each scenario is one page: the text, what is wrong with it, and what playing it showed."""

    list_display = ("slug", "state", "latest", "author", "updated_at")
    search_fields = ("slug",)
    form = NewScenarioForm
    fields = ("slug", "start_from")

    @admin.display(description="State")
    def state(self, authored: AuthoredScenario) -> str:
        """What players have of it."""
        return f"Published, version {authored.published.number}" if authored.published else "Draft"

    @admin.display(description="Latest version")
    def latest(self, authored: AuthoredScenario) -> str:
        """The newest text that could be played."""
        version = authored.versions.first()
        return f"{version.number}" if version else "none yet"

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never: games replay on what was published. Unpublishing takes it from the table."""
        return False

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """An id and a text to start from; everything else happens in the editor."""
        plain = {"title": "New scenario", "show_save_and_add_another": False, "show_save_and_continue": False}
        return super().add_view(request, form_url, {**(extra_context or {}), **plain})

    def save_model(self, request: HttpRequest, obj: AuthoredScenario, form: Any, change: bool) -> None:
        """Create the draft; ``obj`` becomes the row that the service made."""
        made = services.scenario_create(
            slug=obj.slug, start_from=form.cleaned_data["start_from"], author=_author(request)
        )
        obj.pk, obj.draft = made.pk, made.draft
        obj._state.adding = False

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: Any = None) -> HttpResponse:
        """Straight to the editor."""
        return redirect(_editor(obj))

    def get_urls(self) -> list[URLPattern]:
        """The state of a preview, for the page that waits for it."""
        progress = path(
            "<int:scenario_id>/preview/<int:preview_id>/",
            self.admin_site.admin_view(self.preview_progress),
            name="negotiation_authoredscenario_preview",
        )
        return [progress, *super().get_urls()]

    def preview_progress(self, request: HttpRequest, scenario_id: int, preview_id: int) -> HttpResponse:
        """How far a preview is."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        found = ScenarioPreview.objects.filter(pk=preview_id, version__scenario_id=scenario_id).first()
        if found is None:
            raise Http404("There is no such preview.")
        return JsonResponse(
            {"status": found.state, "open": found.is_open, "done": found.done, "total": found.total}
        )

    # Plotly writes style attributes, hence the looser style policy of this page.
    @method_decorator(csp_update({"style-src": ["'unsafe-inline'"]}))
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The editor. Every button first keeps the text, so that nothing typed is ever lost."""
        authored = self.get_object(request, object_id)
        if authored is None:
            raise Http404("There is no such scenario.")
        if not self.has_view_permission(request, authored):
            raise PermissionDenied
        if request.method == "POST":
            if not self.has_change_permission(request, authored):
                raise PermissionDenied
            return self._act(request, authored)
        return self._page(request, authored)

    def _page(self, request: HttpRequest, authored: AuthoredScenario, *, status: int = 200) -> HttpResponse:
        template = "admin/negotiation/authoredscenario/editor.html"
        return TemplateResponse(request, template, self._context(request, authored), status=status)

    def _act(self, request: HttpRequest, authored: AuthoredScenario) -> HttpResponse:
        text = request.POST.get("text", authored.draft)
        refused = refusal(text, authored.slug)
        if refused is not None:
            messages.error(request, f"The text was not kept: {refused}")
            return self._page(request, authored, status=422)
        services.draft_save(authored=authored, text=text)
        asked = "restore" if "restore" in request.POST else request.POST.get("action", "")
        action = _ACTIONS.get(asked, _validate)
        try:
            said = action(request, authored)
        except ScenarioError as error:
            count = len(error.problems)
            said = (
                f"Kept, but not played: {count} {'thing is' if count == 1 else 'things are'} to mend first."
            )
            messages.error(request, said)
        except services.ScenarioRefused as refused:
            messages.error(request, str(refused))
        else:
            sound = check_apart(authored.draft, authored.slug).scenario is not None
            messages.add_message(request, messages.SUCCESS if sound else messages.WARNING, said)
        return redirect(_editor(authored))

    def _context(self, request: HttpRequest, authored: AuthoredScenario) -> dict[str, Any]:
        checked = check_apart(authored.draft, authored.slug)
        versions = list(authored.versions.select_related("author"))
        version = next((v for v in versions if v.text == authored.draft), None)
        shown = ScenarioPreview.objects.filter(version=version).first() if version else None
        done = shown is not None and shown.result is not None and checked.scenario is not None
        currency = checked.scenario.currency if checked.scenario else ""
        return {
            **self.admin_site.each_context(request),
            "title": checked.scenario.title if checked.scenario else authored.slug,
            "opts": self.model._meta,
            "authored": authored,
            "checked": checked,
            "found": _found(checked),
            "lines": range(1, authored.draft.count("\n") + 2),
            "versions": versions,
            "version": version,
            "preview": shown,
            "figures": figures(shown.result, currency) if done and shown and shown.result else [],
            "may_change": self.has_change_permission(request, authored),
            "headings": _headings(authored.draft),
        }


def _author(request: HttpRequest) -> User | None:
    return request.user if isinstance(request.user, User) else None


def _editor(authored: AuthoredScenario) -> str:
    return reverse("admin:negotiation_authoredscenario_change", args=[authored.pk])


def _found(checked: Checked) -> str:
    """One line on the state of the draft."""
    if checked.problems:
        count = len(checked.problems)
        return f"{count} {'thing' if count == 1 else 'things'} to mend"
    count = len(checked.warnings)
    return f"Playable, with {count} {'remark' if count == 1 else 'remarks'}" if count else "Playable"


def _headings(text: str) -> list[tuple[str, int]]:
    """The tables of the text with their lines: an index to jump by."""
    return [
        (" ".join(str(part) for part in key), line)
        for key, line in lines_of(text).items()
        if key in (("seller",), ("buyer",)) or (len(key) == 2 and isinstance(key[1], int))
    ]


def _validate(request: HttpRequest, authored: AuthoredScenario) -> str:
    return f"Kept. {_found(check_apart(authored.draft, authored.slug))}."


def _preview(request: HttpRequest, authored: AuthoredScenario) -> str:
    quotas.spend(request, "work")
    services.preview_request(authored=authored, author=_author(request))
    return "Kept. The preview is on its way."


def _publish(request: HttpRequest, authored: AuthoredScenario) -> str:
    version = services.scenario_publish(authored=authored, author=_author(request))
    return f"Version {version.number} is published: new deals are dealt from it."


def _unpublish(request: HttpRequest, authored: AuthoredScenario) -> str:
    services.scenario_unpublish(authored=authored)
    return "Withdrawn. Deals that were started are played to their end."


def _restore(request: HttpRequest, authored: AuthoredScenario) -> str:
    number = request.POST.get("restore", "")
    services.draft_restore(
        authored=authored, number=int(number) if number.isdigit() else 0, author=_author(request)
    )
    return f"Version {number} is in the editor."


_ACTIONS: dict[str, Callable[[HttpRequest, AuthoredScenario], str]] = {
    "validate": _validate,
    "preview": _preview,
    "publish": _publish,
    "unpublish": _unpublish,
    "restore": _restore,
}
